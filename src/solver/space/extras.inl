/* Space has no passes and functions of its own in its table of kernels. */
#define EXTRA_FUNCTIONS
#define EXTRA_ENTRIES(VARIANT)
#define EXTRA_PLACED                                                                                                   \
    {                                                                                                                  \
        0                                                                                                              \
    }
