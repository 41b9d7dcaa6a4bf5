/** Policies side by side on one trace, with confidence intervals. */
@NullMarked
package io.github.liquidscheduler.cli.compare;

import org.jspecify.annotations.NullMarked;
