#include "rows.h"

#include "check.h"

void expect_row(okra_table *reader, const double *wanted)
{
    double row[16] = {0};
    bool more;
    okra_message why;
    if (okra_table_next(reader, row, &more, &why))
        fail_msg("%s", why.text);
    assert_true(more);
    for (size_t c = 0; c < okra_table_get(reader)->columns; c++)
        if (!isnan(wanted[c]) || !isnan(row[c]))
            assert_near(row[c], wanted[c], 0);
}

void expect_end(okra_table *reader)
{
    double row[16] = {7};
    bool more;
    for (int twice = 0; twice < 2; twice++) { /* it stays the end */
        assert_ok(okra_table_next(reader, row, &more, NULL));
        assert_false(more);
        assert_near(row[0], 7, 0);
    }
    okra_table_close(reader);
}
