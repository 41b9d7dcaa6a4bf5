/**
 * Choice of GPU models for jobs whose speeds differ by model: {@link
 * io.github.liquidscheduler.scheduler.models.ModelPlacer}.
 */
@NullMarked
package io.github.liquidscheduler.scheduler.models;

import org.jspecify.annotations.NullMarked;
