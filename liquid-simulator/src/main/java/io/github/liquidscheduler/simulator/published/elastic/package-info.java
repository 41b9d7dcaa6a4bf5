/**
 * Elastic-Tiresias compared with other policies on random elastic jobs. {@link
 * io.github.liquidscheduler.simulator.published.elastic.ElasticComparison} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.simulator.published.elastic;

import org.jspecify.annotations.NullMarked;
