/**
 * Assignment of groups of equal tasks to domains of a topology, by the number each holds: {@link
 * io.github.liquidscheduler.lab.domains.DomainAssigner}. The rules are those of Kueue's
 * topology-aware scheduling.
 */
@NullMarked
package io.github.liquidscheduler.lab.domains;

import org.jspecify.annotations.NullMarked;
