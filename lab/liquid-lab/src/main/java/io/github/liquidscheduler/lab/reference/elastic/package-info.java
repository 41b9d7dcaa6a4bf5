/**
 * A reference simulation of elastic jobs, whose number of GPUs changes while they run, on a cluster
 * that is nothing but a number of GPUs. Policies decide sizes only, so that their arithmetic can be
 * checked to the last digit. {@link
 * io.github.liquidscheduler.lab.reference.elastic.ElasticSimulator} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.elastic;

import org.jspecify.annotations.NullMarked;
