# SPDX-License-Identifier: GPL-3.0-or-later
# A layer is one folder and one static library. It may use only the layers that it names.

# tfm_layer(NAME folder SOURCES a.cpp ... USES other_layer ... LINKS external_target ...)
# Makes the library tfm_NAME. Headers are included from the repository's root: "core/tensor/shape.h".
function(tfm_layer NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
  add_library(tfm_${NAME} STATIC ${ARG_SOURCES})
  target_include_directories(tfm_${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  foreach(layer IN LISTS ARG_USES)
    target_link_libraries(tfm_${NAME} PUBLIC tfm_${layer})
  endforeach()
  target_link_libraries(tfm_${NAME} PRIVATE ${ARG_LINKS})
  tfm_use_common_headers(tfm_${NAME})
endfunction()
