/**
 * Job traces: what was submitted to a cluster and when. A {@link
 * io.github.liquidscheduler.simulator.trace.TraceFormat} names a public format and gives its {@link
 * io.github.liquidscheduler.simulator.trace.TraceReader}, which makes one {@link
 * io.github.liquidscheduler.simulator.trace.Trace} of a file or refuses it with a {@link
 * io.github.liquidscheduler.formats.InputFormatException} that names file, line and rule.
 */
@NullMarked
package io.github.liquidscheduler.simulator.trace;

import org.jspecify.annotations.NullMarked;
