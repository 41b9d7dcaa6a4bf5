/**
 * Elastic-Tiresias compared with other policies on random elastic jobs. {@link
 * io.github.liquidscheduler.lab.published.elastic.ElasticComparison} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.published.elastic;

import org.jspecify.annotations.NullMarked;
