# How Trammel's own sources are compiled: warnings, the rules of arithmetic, and the flags of each instruction set.

include(CheckCCompilerFlag)

add_library(trammel_compile_options INTERFACE)

set(trammel_warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual)
target_compile_options(trammel_compile_options INTERFACE
    ${trammel_warnings}
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
    $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>
    # the same bits everywhere: a product and a sum stay two roundings
    -ffp-contract=off
    # gcc 12 drops the rounding to float of pairs that are widened again if it makes vectors of them
    $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
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
    set(compact ${kernels})
    if(NOT TRAMMEL_COMPACT_KERNELS)
        string(REPLACE ";" "|" compact_sets "${TRAMMEL_COMPACT_SETS}")
        list(FILTER compact INCLUDE REGEX "/kernels_(${compact_sets})\\.c$")
    endif()
    if(compact)
        set_property(SOURCE ${compact} APPEND PROPERTY COMPILE_DEFINITIONS TR_COMPACT_KERNELS=1)
    endif()
    set(scalar ${kernels})
    list(FILTER scalar INCLUDE REGEX "/kernels_scalar\\.c$")
    set(wide ${kernels})
    list(FILTER wide EXCLUDE REGEX "/kernels_scalar\\.c$")
    # A sanitizer takes minutes to compile the kernels of one set. Their source is the same for all, so its undefined
    # behaviour is looked for in the scalar one, but for that of pointers: addresses are checked, but not how they are
    # aligned. Locals are registers, which need no guards on the stack. Checks of addresses as calls take the compiler a
    # third of the time; the wide kernels, which most tests run, step twice as fast without.
    if(CMAKE_C_FLAGS MATCHES "-fsanitize=address")
        set(parameter --param=asan)
        if(CMAKE_C_COMPILER_ID MATCHES "Clang")
            set(parameter -mllvm -asan)
        endif()
        set_property(SOURCE ${kernels} APPEND PROPERTY COMPILE_OPTIONS ${parameter}-stack=0)
        set_property(SOURCE ${scalar} APPEND PROPERTY COMPILE_OPTIONS
            ${parameter}-instrumentation-with-call-threshold=0 -fno-sanitize=null,alignment,object-size,pointer-overflow)
        set_property(SOURCE ${wide} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined,float-cast-overflow)
    endif()
    # which thread takes which block is the same for all sets
    if(CMAKE_C_FLAGS MATCHES "-fsanitize=thread")
        set_property(SOURCE ${scalar} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=thread)
    endif()
endfunction()
