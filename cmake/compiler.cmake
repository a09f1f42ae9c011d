# How Trammel's own sources are compiled: warnings, the rules of arithmetic, and the flags of each instruction set.

include(CheckCCompilerFlag)

add_library(trammel_compile_options INTERFACE)

set(trammel_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
target_compile_options(trammel_compile_options INTERFACE
    ${trammel_warnings}
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
    $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>
    # the same bits everywhere: a product and a sum stay two roundings
    -ffp-contract=off
    -fvisibility=hidden)

# The kernels are one source compiled once per instruction set. A file for another architecture guards itself.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(trammel_avx2_flags -mavx2)
    set(trammel_avx512_flags -mavx512f -mavx512dq -mavx512bw -mavx512vl)
    foreach(set avx2 avx512)
        string(TOUPPER ${set} SET)
        string(REPLACE ";" " " flags "${trammel_${set}_flags}")
        check_c_compiler_flag("${flags}" TRAMMEL_COMPILER_HAS_${SET})
        if(TRAMMEL_COMPILER_HAS_${SET})
            list(APPEND trammel_definitions TR_HAVE_${SET}=1)
        endif()
    endforeach()
endif()

# Gives each kernels_<set>.c among the sources the flags of its set.
function(trammel_kernel_flags)
    foreach(set avx2 avx512)
        string(TOUPPER ${set} SET)
        if(TRAMMEL_COMPILER_HAS_${SET})
            set(sources ${ARGN})
            list(FILTER sources INCLUDE REGEX "/kernels_${set}\\.c$")
            if(sources)
                set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${trammel_${set}_flags}")
            endif()
        endif()
    endforeach()
    set(kernels ${ARGN})
    list(FILTER kernels INCLUDE REGEX "/kernels_[a-z0-9]+\\.c$")
    # A sanitizer takes minutes to compile the kernels of one set. Their source is the same for all, so its undefined
    # behaviour is looked for in the scalar one; their locals are registers, which need no guards on the stack; checks
    # of addresses take the compiler less than half of the time as calls.
    if(CMAKE_C_FLAGS MATCHES "-fsanitize=address" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS
            --param=asan-stack=0 --param=asan-instrumentation-with-call-threshold=0)
        set(wide ${kernels})
        list(FILTER wide EXCLUDE REGEX "/kernels_scalar\\.c$")
        set_property(SOURCE ${wide} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined)
    endif()
    # the fuzzers read scenes and step none: instruments in the kernels would only take most of the build's time
    if(TRAMMEL_BUILD_FUZZ)
        set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all)
    endif()
endfunction()
