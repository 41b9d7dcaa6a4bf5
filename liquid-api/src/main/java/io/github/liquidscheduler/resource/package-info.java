/**
 * Quantities with units: {@link io.github.liquidscheduler.resource.Memory}, {@link
 * io.github.liquidscheduler.resource.CpuCores}, {@link
 * io.github.liquidscheduler.resource.Bandwidth}, and the identity and share of a GPU. All are
 * immutable values that are never negative.
 */
@NullMarked
package io.github.liquidscheduler.resource;

import org.jspecify.annotations.NullMarked;
