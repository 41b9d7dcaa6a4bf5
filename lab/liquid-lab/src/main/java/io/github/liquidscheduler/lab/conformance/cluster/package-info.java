/** Cases about clusters with queues and jobs, run through the scheduler. */
@NullMarked
package io.github.liquidscheduler.lab.conformance.cluster;

import org.jspecify.annotations.NullMarked;
