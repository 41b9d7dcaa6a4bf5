/** Changes of a running job's size, and what is known of its speed and of the time they take. */
@NullMarked
package io.github.liquidscheduler.scheduler.resize;

import org.jspecify.annotations.NullMarked;
