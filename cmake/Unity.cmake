# SPDX-License-Identifier: GPL-3.0-or-later
# Most of the time that a compiler takes here goes into reading headers.
option(TFM_UNITY "Compile 24 sources at a time: from scratch in less than half the time, slower after a change" ON)
set(CMAKE_UNITY_BUILD ${TFM_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
# A type in a source's own namespace belongs to one unit all the same.
add_compile_options($<$<AND:$<BOOL:${TFM_UNITY}>,$<COMPILE_LANGUAGE:CXX>>:-Wno-subobject-linkage>)
