# SPDX-License-Identifier: GPL-3.0-or-later
# What nearly every file of a part of the house includes is read by the compiler once (a precompiled
# header). The sources go on naming all that they use: CMAKE_DISABLE_PRECOMPILE_HEADERS builds too.

# tfm_common_headers(NAME USES Qt6::Core ... OPTIONS -O1 ... HEADERS <vector> ...)
# From here on, the targets of this folder and those below that use them have read HEADERS, and are compiled with
# OPTIONS, as the headers were: a compiler may refuse them else.
function(tfm_common_headers NAME)
  cmake_parse_arguments(ARG "" "" "USES;OPTIONS;HEADERS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// A precompiled header belongs to a target with a source.\n")
  add_library(${NAME} OBJECT ${source})
  set_target_properties(${NAME} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  target_link_libraries(${NAME} PRIVATE ${ARG_USES})
  target_compile_options(${NAME} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${NAME} PRIVATE ${ARG_HEADERS})
  set(TFM_COMMON_HEADERS ${NAME} PARENT_SCOPE)
  set(TFM_COMMON_OPTIONS ${ARG_OPTIONS} PARENT_SCOPE)
endfunction()

# For a target of such a folder.
function(tfm_use_common_headers TARGET)
  if(TFM_COMMON_HEADERS)
    target_precompile_headers(${TARGET} REUSE_FROM ${TFM_COMMON_HEADERS})
    target_compile_options(${TARGET} PRIVATE ${TFM_COMMON_OPTIONS})
  endif()
endfunction()
