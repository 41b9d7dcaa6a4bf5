/** Values of data sets and logs: times, names of workloads, tracked resources. */
@NullMarked
package io.github.liquidscheduler.simulator.input;

import org.jspecify.annotations.NullMarked;
