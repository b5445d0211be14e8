# SPDX-License-Identifier: GPL-3.0-or-later
# For the folders below: most of the time that a compiler takes there goes into reading headers.
option(TFM_UNITY "Compile ten sources at a time: from scratch in half the time, slower after a change" ON)
set(CMAKE_UNITY_BUILD ${TFM_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
# A type in a source's own namespace belongs to one unit all the same.
add_compile_options($<$<AND:$<BOOL:${TFM_UNITY}>,$<COMPILE_LANGUAGE:CXX>>:-Wno-subobject-linkage>)
