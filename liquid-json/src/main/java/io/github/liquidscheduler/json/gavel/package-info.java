/**
 * Throughputs published by Gavel; {@link io.github.liquidscheduler.json.gavel.GavelThroughputs}
 * reads their file.
 */
@NullMarked
package io.github.liquidscheduler.json.gavel;

import org.jspecify.annotations.NullMarked;
