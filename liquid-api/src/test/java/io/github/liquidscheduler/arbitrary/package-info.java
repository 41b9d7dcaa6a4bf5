/**
 * Generators of any value of the API for properties, shared by the tests of all modules: {@link
 * io.github.liquidscheduler.arbitrary.ClusterArbitraries}, {@link
 * io.github.liquidscheduler.arbitrary.JobArbitraries}, {@link
 * io.github.liquidscheduler.arbitrary.EventArbitraries}.
 */
@NullMarked
package io.github.liquidscheduler.arbitrary;

import org.jspecify.annotations.NullMarked;
