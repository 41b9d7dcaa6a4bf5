package io.github.liquidscheduler.placement.colocation;

import java.util.List;

/**
 * Says which co-runners a job may keep, and which it would best. It is asked about all candidates
 * of a decision at once. Share, memory and number of jobs have been checked before, and nobody has
 * asked to be alone. Deterministic: what it answers depends on the candidate, and on what was
 * observed.
 */
public interface ColocationPolicy {

  /** Returns the name, such as {@code slowdown}. */
  String name();

  /** Says which of the candidates are allowed, and what each of these costs. */
  void judge(List<SharedGpu> candidates, CandidateScores judgements);

  /** Returns what it costs to take a GPU that is still empty instead. */
  double costOfEmpty();
}
