# SPDX-License-Identifier: GPL-3.0-or-later
# Writes OUTPUT, a header with the commit that is built: git's, else that of the archive it came in, else of the
# variable TFM_COMMIT in the environment. Run at every build; the header is new only if the commit is.
set(commit $ENV{TFM_COMMIT})
if(NOT commit)
  file(STRINGS ${SOURCE}/cmake/commit.txt commit LIMIT_COUNT 1)
  if(commit MATCHES "Format")  # not an archive
    set(commit "")
  endif()
endif()
if(NOT commit AND EXISTS ${SOURCE}/.git)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} -c safe.directory=* describe --always --exclude=* --dirty=+
      WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define TFM_COMMIT \"@commit@\"\n" @ONLY)
