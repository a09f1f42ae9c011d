/*
 * Sanitizers make everything ten times as slow and more. What repeats one check with other numbers, to find the rare
 * case or to let an error grow, repeats it less under them: what they look for, they find in the first repetitions.
 */
#ifndef TR_TESTS_INSTRUMENTED_H
#define TR_TESTS_INSTRUMENTED_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TR_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define TR_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TR_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define TR_THREAD_SANITIZER 1
#endif
#ifndef TR_ADDRESS_SANITIZER
#define TR_ADDRESS_SANITIZER 0
#endif
#ifndef TR_THREAD_SANITIZER
#define TR_THREAD_SANITIZER 0
#endif

/* so many repetitions, or a tenth of them */
#define TRIALS(count) (TR_ADDRESS_SANITIZER || TR_THREAD_SANITIZER ? ((count) + 9) / 10 : (count))

#endif
