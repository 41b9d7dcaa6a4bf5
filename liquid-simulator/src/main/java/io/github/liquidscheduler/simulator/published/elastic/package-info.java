/**
 * Elastic-Tiresias compared with other policies on random elastic jobs. {@link
 * io.github.liquidscheduler.simulator.published.elastic.ElasticWorkload} makes the jobs.
 */
@NullMarked
package io.github.liquidscheduler.simulator.published.elastic;

import org.jspecify.annotations.NullMarked;
