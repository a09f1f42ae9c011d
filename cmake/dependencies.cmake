# What Trammel stands on. Sets trammel_libraries (private to the library), trammel_cli_libraries (private to the
# program), their _definitions, and _modules / _flags for the package files.

# Stops with what is missing, where it comes from and which option does without it.
function(trammel_missing what package option)
    set(message "${what} was not found. Debian has it in ${package}.")
    if(option)
        string(APPEND message " -D${option}=OFF builds without it.")
    endif()
    message(FATAL_ERROR "${message}")
endfunction()

# Finds a library through pkg-config as target PkgConfig::<name>.
macro(trammel_find_module name package option)
    find_package(PkgConfig QUIET)
    if(NOT PKG_CONFIG_FOUND)
        trammel_missing("pkg-config, which finds ${name}," pkg-config ${option})
    endif()
    pkg_check_modules(${name} QUIET IMPORTED_TARGET ${name})
    if(NOT ${name}_FOUND)
        trammel_missing("${name}" ${package} ${option})
    endif()
endmacro()

set(trammel_modules "") # pkg-config modules of the static library

# headers only; a cross build borrows the host's copy through a folder that holds nothing else
find_path(SIMDE_INCLUDE_DIR simde/x86/sse2.h NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(SIMDE_INCLUDE_DIR)
if(NOT SIMDE_INCLUDE_DIR)
    trammel_missing("SIMDe" libsimde-dev "")
endif()
add_library(SIMDe::SIMDe INTERFACE IMPORTED)
if(CMAKE_CROSSCOMPILING)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/simde-include)
    file(CREATE_LINK ${SIMDE_INCLUDE_DIR}/simde ${PROJECT_BINARY_DIR}/simde-include/simde SYMBOLIC)
    set_target_properties(SIMDe::SIMDe PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/simde-include)
else()
    set_target_properties(SIMDe::SIMDe PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${SIMDE_INCLUDE_DIR})
endif()

# sqrt and friends are in a library of their own on most systems
find_library(TRAMMEL_MATH_LIBRARY m)
mark_as_advanced(TRAMMEL_MATH_LIBRARY)
if(TRAMMEL_MATH_LIBRARY)
    set(trammel_math m)
endif()
set(trammel_libraries $<BUILD_INTERFACE:SIMDe::SIMDe> ${trammel_math})

if(TRAMMEL_WITH_OPENMP)
    find_package(OpenMP QUIET COMPONENTS C)
    if(NOT OpenMP_C_FOUND)
        trammel_missing("OpenMP for ${CMAKE_C_COMPILER_ID}" "libgomp1 (gcc) or libomp-dev (clang)"
                        TRAMMEL_WITH_OPENMP)
    endif()
    list(APPEND trammel_libraries OpenMP::OpenMP_C)
    list(APPEND trammel_definitions TR_WITH_OPENMP=1)
endif()

if(TRAMMEL_WITH_HWLOC)
    trammel_find_module(hwloc libhwloc-dev TRAMMEL_WITH_HWLOC)
    list(APPEND trammel_libraries PkgConfig::hwloc)
    list(APPEND trammel_definitions TR_WITH_HWLOC=1)
    list(APPEND trammel_modules hwloc)
endif()

if(TRAMMEL_WITH_SCENES)
    trammel_find_module(jansson libjansson-dev TRAMMEL_WITH_SCENES)
    list(APPEND trammel_libraries PkgConfig::jansson)
    list(APPEND trammel_definitions TR_WITH_SCENES=1)
    list(APPEND trammel_modules jansson)
endif()

# URDF and MJCF: of no use to a library that reads no scenes
if(TRAMMEL_WITH_SCENES AND TRAMMEL_WITH_XML)
    trammel_find_module(expat libexpat1-dev TRAMMEL_WITH_XML)
    list(APPEND trammel_libraries PkgConfig::expat)
    list(APPEND trammel_definitions TR_WITH_XML=1)
    list(APPEND trammel_modules expat)
endif()

if(TRAMMEL_WITH_PICTURES AND TRAMMEL_BUILD_PROGRAM)
    trammel_find_module(cairo libcairo2-dev TRAMMEL_WITH_PICTURES)
    list(APPEND trammel_cli_libraries PkgConfig::cairo)
    list(APPEND trammel_cli_definitions TR_WITH_PICTURES=1)
endif()
# the program prints its results as JSON and may read options of a scene
if(TRAMMEL_WITH_SCENES)
    list(APPEND trammel_cli_libraries PkgConfig::jansson)
endif()
