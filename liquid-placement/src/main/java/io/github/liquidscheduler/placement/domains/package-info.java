/**
 * Which domains of a topology the equal tasks of a group go to, by how many of them each can take:
 * {@link io.github.liquidscheduler.placement.domains.DomainAssigner}. The rules are those of
 * Kueue's topology-aware scheduling.
 */
@NullMarked
package io.github.liquidscheduler.placement.domains;

import org.jspecify.annotations.NullMarked;
