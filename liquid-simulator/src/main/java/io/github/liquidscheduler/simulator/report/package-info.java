/**
 * A run, or several under different policies, as one HTML file. {@link
 * io.github.liquidscheduler.simulator.report.RunRecorder} watches a run, and {@link
 * io.github.liquidscheduler.simulator.report.HtmlReport} writes what it saw.
 */
@NullMarked
package io.github.liquidscheduler.simulator.report;

import org.jspecify.annotations.NullMarked;
