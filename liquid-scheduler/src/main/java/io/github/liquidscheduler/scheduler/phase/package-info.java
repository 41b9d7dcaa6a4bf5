/** The phase of a live job: what it holds, what it is promised, and what may come next. */
@NullMarked
package io.github.liquidscheduler.scheduler.phase;

import org.jspecify.annotations.NullMarked;
