/*
 * The MPS2+ board with a Cortex-M4F (its FPGA image AN386), as QEMU has it: from reset to main() and out again, with a
 * debugger's semihosting for a console. On a board of your own this file and the linker script are what to replace.
 */
#include "board.h"

extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[]; /* from the linker script */

int main(void);

/* ---- semihosting: requests to the debugger, ARM's document 100863 ------------------------------------------------ */

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static void semihost(uint32_t request, const void *argument)
{
    register uint32_t r0 __asm__("r0") = request;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char *text) { semihost(SYS_WRITE0, text); }

static void leave(uint32_t status)
{
    const uint32_t why[2] = {APPLICATION_EXIT, status};
    semihost(SYS_EXIT_EXTENDED, why);
    for (;;)
        ;
}

/* ---- the clock ----------------------------------------------------------------------------------------------------
 */

/* The system timer counts down at 25 MHz. Under qemu -icount shift=0 an instruction takes 1 ns, so a tick is 40 of
 * them. */
#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)
enum { TICKS = 0x1000000, INSTRUCTIONS_PER_TICK = 40, ENABLE_FROM_PROCESSOR_CLOCK = 5 };

static void start_clock(void)
{
    SYST_RVR = TICKS - 1;
    SYST_CVR = 0;
    SYST_CSR = ENABLE_FROM_PROCESSOR_CLOCK;
}

/* To be called at least every 671 million instructions, when the timer has gone round. */
uint32_t board_instructions(void)
{
    static uint32_t ticks, last = TICKS - 1;
    uint32_t now = SYST_CVR;
    ticks += (last - now) % TICKS;
    last = now;
    return ticks * INSTRUCTIONS_PER_TICK;
}

/* ---- the stack ----------------------------------------------------------------------------------------------------
 */

/* It grows down from the top of the memory to the end of the data; what it has never reached is still as it was
 * painted. */
enum { PAINT = 0x5AFE57AC };

size_t board_stack(void)
{
    const uint32_t *unused = bss_end;
    while (unused < stack_top && *unused == PAINT)
        unused++;
    return (size_t)(stack_top - unused) * sizeof *unused;
}

/* ---- errno ----------------------------------------------------------------------------------------------------------
 */

/* The maths functions set it; newlib's own comes with a kilobyte for files and threads. */
int *__errno(void);
int *__errno(void)
{
    static int number;
    return &number;
}

/* ---- from reset to main -------------------------------------------------------------------------------------------
 */

#define CPACR (*(volatile uint32_t *)0xE000ED88u)

/* Loops over volatile memory, which no compiler turns into calls that need a stack or what is not there yet. */
void reset(void);
void reset(void)
{
    CPACR |= 0xFu << 20; /* the FPU is off until it is asked for */
    __asm__ volatile("dsb\n isb");
    const uint32_t *from = data_from;
    for (volatile uint32_t *to = data_begin; to < data_end;)
        *to++ = *from++;
    for (volatile uint32_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    const uint32_t *in_use = __builtin_frame_address(0);
    for (volatile uint32_t *to = bss_end; to < in_use - 16;) /* which is a little more than this function has */
        *to++ = PAINT;
    start_clock();
    leave((uint32_t)main());
}

static void fault(void)
{
    board_print("fault\n");
    leave(70);
}

/* The stack, where to begin, and what to do about non-maskable interrupts and faults of four kinds. */
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault};
