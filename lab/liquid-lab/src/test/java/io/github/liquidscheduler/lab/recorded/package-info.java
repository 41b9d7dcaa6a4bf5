/** Journals that were recorded once, and what was decided then. */
@NullMarked
package io.github.liquidscheduler.lab.recorded;

import org.jspecify.annotations.NullMarked;
