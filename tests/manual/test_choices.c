/*
 * Words that help offers for a value are those that the libraries know, all of them: shells complete what help says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <okra/io.h>
#include <okra/network.h>

enum { TEXT = 65536 };

static char *help_on(const char *command, char text[TEXT])
{
    char line[512];
    snprintf(line, sizeof line, "'%s' help %s", OKRA_PROGRAM, command);
    FILE *help = popen(line, "r");
    assert_non_null(help);
    text[fread(text, 1, TEXT - 1, help)] = '\0';
    assert_int_equal(pclose(help), 0);
    return text;
}

/* Help has `--option one|two|three`, the names of a list from number `first` to `last`, or to its end. */
static void assert_offers(const char *command, const char *option, const char *(*name_at)(int i), int first, int last)
{
    char text[TEXT], wanted[256];
    const char *name;
    int used = snprintf(wanted, sizeof wanted, "  --%s ", option);
    for (int i = first; i <= last && (name = name_at(i)); i++)
        used += snprintf(wanted + used, sizeof wanted - (size_t)used, "%s%s", i > first ? "|" : "", name);
    const char *found = strstr(help_on(command, text), wanted);
    if (!found || !strchr(" \n", found[used]))
        fail_msg("okra help %s has no '%s'", command, wanted);
}

static const char *topology(int i) { return okra_topology_name((okra_topology)i); }
static const char *rule(int i) { return okra_diffusion_rule_name((okra_diffusion_rule)i); }
static const char *format(int i)
{
    const okra_format *found = okra_format_at((size_t)i);
    return found ? found->name : NULL;
}

static void help_offers_what_the_libraries_know(void **state)
{
    (void)state;
    assert_offers("diffuse", "topology", topology, 0, 99);
    assert_offers("diffuse", "rule", rule, OKRA_CTA, OKRA_ATC); /* the others are what they are compared with */
    assert_offers("run", "format", format, 0, 99);
    assert_offers("predict", "format", format, 0, 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(help_offers_what_the_libraries_know)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
