# SPDX-License-Identifier: GPL-3.0-or-later
# What `cmake --install` puts where. Components: tool (without Qt), window, cuda, doc.
include(GNUInstallDirs)
set(id org.transformarium.Transformarium)
set(from ${PROJECT_SOURCE_DIR}/resources/install)

# Private, so without the folder of an architecture: programs look beside themselves (core/backend/plugins.h).
set(plugins lib/transformarium/plugins)

install(TARGETS transformarium-cli COMPONENT tool DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${TFM_HELP_PAGES}/man/ COMPONENT tool DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
  FILES_MATCHING PATTERN transformarium-cli*.1)
install(FILES ${TFM_HELP_PAGES}/completions/bash/transformarium-cli COMPONENT tool
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${TFM_HELP_PAGES}/completions/zsh/_transformarium-cli COMPONENT tool
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${TFM_HELP_PAGES}/completions/fish/transformarium-cli.fish COMPONENT tool
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY COMPONENT tool DESTINATION ${plugins})
# Lessons, to read, to check and to change, beside the documents that they start from.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/lessons ${PROJECT_SOURCE_DIR}/resources/documents COMPONENT tool
  DESTINATION ${CMAKE_INSTALL_DATADIR}/transformarium)

if(TFM_GUI)
  install(TARGETS transformarium COMPONENT window DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${TFM_HELP_PAGES}/man/transformarium.1 COMPONENT window DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${from}/${id}.desktop COMPONENT window DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  configure_file(${from}/${id}.metainfo.xml.in ${PROJECT_BINARY_DIR}/${id}.metainfo.xml @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${id}.metainfo.xml COMPONENT window DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
  install(FILES ${from}/transformarium.xml COMPONENT window DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
  install(FILES ${from}/transformarium.thumbnailer COMPONENT window DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers)
  set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
  foreach(size 16 24 32 48 64 128 256)
    install(FILES ${from}/icon-${size}.png COMPONENT window DESTINATION ${icons}/${size}x${size}/apps RENAME ${id}.png)
  endforeach()
  install(FILES ${from}/${id}.svg COMPONENT window DESTINATION ${icons}/scalable/apps)
  install(DIRECTORY COMPONENT window DESTINATION ${CMAKE_INSTALL_DATADIR}/transformarium/translations)
endif()

if(TFM_CUDA)
  install(TARGETS transformarium_cuda COMPONENT cuda LIBRARY DESTINATION ${plugins})
endif()

# The pages of docs/, as HTML where cmark-gfm can make it.
find_program(CMARK_GFM cmark-gfm)
if(CMARK_GFM)
  set(html ${PROJECT_BINARY_DIR}/html)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/*/*.md)
  add_custom_command(OUTPUT ${html}/index.html
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/docs_html.sh ${PROJECT_SOURCE_DIR}/docs ${html}
    DEPENDS ${pages} ${PROJECT_SOURCE_DIR}/cmake/docs_html.sh VERBATIM)
  add_custom_target(html ALL DEPENDS ${html}/index.html)
  install(DIRECTORY ${html} COMPONENT doc DESTINATION ${CMAKE_INSTALL_DOCDIR})
else()
  install(DIRECTORY docs/ COMPONENT doc DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
endif()
install(FILES LICENSE CHANGELOG.md COMPONENT tool DESTINATION ${CMAKE_INSTALL_DOCDIR})
