/** Changes to running jobs: interference, node failures, drains, batch migrations, reservations. */
@NullMarked
package io.github.liquidscheduler.scheduler.adjust;

import org.jspecify.annotations.NullMarked;
