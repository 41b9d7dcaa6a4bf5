/**
 * Sizes by prices: a GPU has a price for each second, at which jobs would together want as many
 * GPUs as there are. {@link io.github.liquidscheduler.lab.reference.elastic.price.ShadowPrice} is
 * the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.elastic.price;

import org.jspecify.annotations.NullMarked;
