#include "rows.h"

#include "check.h"

void expect_row(okra_reader *reader, const double *wanted)
{
    double row[16] = {0};
    bool more;
    okra_message why;
    if (okra_reader_next(reader, row, &more, &why))
        fail_msg("%s", why.text);
    assert_true(more);
    for (size_t c = 0; c < okra_reader_columns(reader); c++)
        if (!isnan(wanted[c]) || !isnan(row[c]))
            assert_near(row[c], wanted[c], 0);
}

void expect_end(okra_reader *reader)
{
    double row[16] = {7};
    bool more;
    for (int twice = 0; twice < 2; twice++) { /* it stays the end */
        assert_ok(okra_reader_next(reader, row, &more, NULL));
        assert_false(more);
        assert_near(row[0], 7, 0);
    }
    okra_reader_close(reader);
}
