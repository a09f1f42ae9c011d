# Called by CTest. Compiles every block of C in README.md and docs against the headers, as a reader would who pastes it.

cmake_minimum_required(VERSION 3.22)

file(MAKE_DIRECTORY ${WORK_DIR})
file(GLOB_RECURSE pages ${REPOSITORY}/docs/*.md)
list(SORT pages)
set(source ${WORK_DIR}/blocks.c)
execute_process(COMMAND awk -f ${CMAKE_CURRENT_LIST_DIR}/blocks.awk ${REPOSITORY}/README.md ${pages}
    OUTPUT_FILE ${source} COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${C_FLAGS}")
execute_process(COMMAND ${C_COMPILER} ${flags} -std=c17 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Wno-unused
    -I ${CMAKE_CURRENT_LIST_DIR} -I ${REPOSITORY}/include ${source} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "a block of C in a page does not compile")
endif()
