/**
 * The allocation-rate experiment of FGD (Weng et al., ATC 2023): tasks of shares of a GPU, of whole
 * GPUs and of none arrive until no room is left, none ends, and what counts is how much of the GPUs
 * is allocated by then. Amounts are thousandths of a core or a GPU, and MiB.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.fgd;

import org.jspecify.annotations.NullMarked;
