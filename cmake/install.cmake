# What is installed: headers, both libraries, the program, a CMake package, a pkg-config file and the documents. All
# relocatable.

include(CMakePackageConfigHelpers)

set(trammel_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)

install(DIRECTORY include/trammel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(trammel_has_program)
    install(TARGETS trammel_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# as in the repository, so that the documents' links to each other hold
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.c")

# two export sets, so that a host of the shared library needs none of the static one's dependencies
install(TARGETS trammel EXPORT trammel-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS trammel_static EXPORT trammel-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(kind shared static)
    install(EXPORT trammel-${kind} FILE trammel-${kind}.cmake NAMESPACE trammel:: DESTINATION ${trammel_config_dir})
endforeach()

if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(trammel_compatibility SameMinorVersion)
else()
    set(trammel_compatibility SameMajorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
    COMPATIBILITY ${trammel_compatibility})
configure_package_config_file(cmake/trammelConfig.cmake.in ${PROJECT_BINARY_DIR}/trammelConfig.cmake
    INSTALL_DESTINATION ${trammel_config_dir} NO_SET_AND_CHECK_MACRO)
install(FILES ${PROJECT_BINARY_DIR}/trammelConfig.cmake ${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
    DESTINATION ${trammel_config_dir})

# pkg-config: the prefix is found from the place of the file itself, so that the tree can be moved
file(RELATIVE_PATH trammel_pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" trammel_pc_prefix "${trammel_pc_prefix}")
# Libs.private and not Requires.private: the static Trammel is linked with the shared hwloc, whose own static
# dependencies (udev) need not be there.
set(trammel_pc_libs "")
foreach(module IN LISTS trammel_modules)
    list(APPEND trammel_pc_libs ${${module}_LDFLAGS})
endforeach()
foreach(directory IN LISTS CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(REMOVE_ITEM trammel_pc_libs -L${directory})
endforeach()
if(TRAMMEL_WITH_OPENMP)
    separate_arguments(flags UNIX_COMMAND "${OpenMP_C_FLAGS}")
    list(APPEND trammel_pc_libs ${flags})
endif()
if(trammel_math)
    list(APPEND trammel_pc_libs -lm)
endif()
list(JOIN trammel_pc_libs " " trammel_pc_libs)
configure_file(cmake/trammel.pc.in ${PROJECT_BINARY_DIR}/trammel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/trammel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
