/* The names of the statuses. */
#include "trammel/base.h"

const char *tr_status_name(tr_status status)
{
    static const char *const names[TR_STATUS_COUNT] = {
        [TR_OK] = "TR_OK",
        [TR_ERROR_NULL] = "TR_ERROR_NULL",
        [TR_ERROR_NAN] = "TR_ERROR_NAN",
        [TR_ERROR_INFINITE] = "TR_ERROR_INFINITE",
        [TR_ERROR_NEGATIVE] = "TR_ERROR_NEGATIVE",
        [TR_ERROR_ZERO] = "TR_ERROR_ZERO",
        [TR_ERROR_RANGE] = "TR_ERROR_RANGE",
        [TR_ERROR_NULL_ID] = "TR_ERROR_NULL_ID",
        [TR_ERROR_STALE_ID] = "TR_ERROR_STALE_ID",
        [TR_ERROR_FOREIGN_ID] = "TR_ERROR_FOREIGN_ID",
        [TR_ERROR_SELF_JOINT] = "TR_ERROR_SELF_JOINT",
        [TR_ERROR_NO_PROPERTY] = "TR_ERROR_NO_PROPERTY",
        [TR_ERROR_MEMORY] = "TR_ERROR_MEMORY",
        [TR_ERROR_LIMIT] = "TR_ERROR_LIMIT",
        [TR_ERROR_UNSUPPORTED] = "TR_ERROR_UNSUPPORTED",
        [TR_ERROR_FILE] = "TR_ERROR_FILE",
        [TR_ERROR_PARSE] = "TR_ERROR_PARSE",
    };
    /* as unsigned, a negative value is out of range, too */
    if ((uint32_t)status >= TR_STATUS_COUNT)
        return "unknown";
    return names[status];
}
