/**
 * Applications whose step times and gradient statistics were measured for Pollux (Qiao et al., OSDI
 * 2021): what a training job really does on given GPUs at a given batch size. {@link
 * io.github.liquidscheduler.lab.reference.pollux.application.MeasuredApplications} reads them.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.pollux.application;

import org.jspecify.annotations.NullMarked;
