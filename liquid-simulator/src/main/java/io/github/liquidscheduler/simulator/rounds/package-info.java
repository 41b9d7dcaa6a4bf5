/** Jobs that train in rounds: their files, and what plans for them come to. */
@NullMarked
package io.github.liquidscheduler.simulator.rounds;

import org.jspecify.annotations.NullMarked;
