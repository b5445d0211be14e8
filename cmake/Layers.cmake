# SPDX-License-Identifier: GPL-3.0-or-later
# A layer is one folder and one static library. It may use only the layers that it names.

# tfm_layer(NAME folder [DECIDES] SOURCES a.cpp ... USES other_layer ... LINKS external_target ...)
# Makes the library tfm_NAME. Headers are included from the repository's root: "core/tensor/shape.h".
# DECIDES: it decides and describes, and leaves computing to the layers that it uses. It is then compiled with -O1 in a
# release, which takes three quarters of the time.
function(tfm_layer NAME)
  cmake_parse_arguments(ARG "DECIDES" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(tfm_${NAME} STATIC ${ARG_SOURCES})
  target_include_directories(tfm_${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  foreach(layer IN LISTS ARG_USES)
    target_link_libraries(tfm_${NAME} PUBLIC tfm_${layer})
  endforeach()
  target_link_libraries(tfm_${NAME} PRIVATE ${ARG_LINKS})
  if(ARG_DECIDES)
    target_compile_options(tfm_${NAME} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  tfm_use_common_headers(tfm_${NAME})
endfunction()
