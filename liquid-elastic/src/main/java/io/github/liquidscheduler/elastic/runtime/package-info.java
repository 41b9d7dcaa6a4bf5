/**
 * The surroundings of the protocol in a real job: {@link
 * io.github.liquidscheduler.elastic.runtime.ElasticAgent} runs beside the training processes of one
 * machine, serves them over loopback, may lead the job, and speaks with the other agents.
 */
@NullMarked
package io.github.liquidscheduler.elastic.runtime;

import org.jspecify.annotations.NullMarked;
