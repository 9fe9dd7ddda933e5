/* A user of libokra-io: a model goes through bytes and JSON and comes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <okra/io.h>
#include <okra/model_file.h>
#include <okra/okra.h>

int main(void)
{
    okra_spec spec;
    okra_filter *model = NULL;
    unsigned char *bytes = NULL, *again = NULL;
    char *json = NULL;
    size_t size = 0, size_again = 0;
    int good = !okra_spec_init(&spec, "rff-krls", 2, 1) && !okra_create(&spec, &model) &&
               !okra_pack(model, NULL, &bytes, &size, NULL) && !okra_export(bytes, size, 0, &json, NULL) &&
               !okra_import(json, strlen(json), 0, &again, &size_again, NULL) && size == size_again &&
               memcmp(bytes, again, size) == 0 && strcmp(okra_format_of("echo.wav")->name, "wav") == 0;
    okra_free(model);
    free(bytes);
    free(again);
    free(json);
    puts(okra_version());
    return !good;
}
