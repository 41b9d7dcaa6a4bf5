package io.github.liquidscheduler.slurm;

import java.util.Optional;

/** What a job may ask of Slurm and not of the scheduler. */
final class Unsupported {

  private Unsupported() {}

  /** Returns the first that the job asks for, and what to use instead. */
  static Optional<String> why(SlurmJob job) {
    SlurmRecord detail = job.detail();
    if (job.isHeterogeneous()) {
      return refusal("heterogeneous jobs are", "one job with the same part on each node");
    }
    if (detail.number("deadline").orElse(0) != 0) {
      return refusal("--deadline is", "--time, and a queue or priority");
    }
    if (!detail.text("burst_buffer").isEmpty()) {
      return refusal("--bb is", "a job before it that copies the data, and --dependency");
    }
    if (!detail.text("federation_origin").isEmpty()) {
      return refusal("federated jobs are", "--clusters with the name of one cluster");
    }
    if (!detail.text("resv_name").isEmpty()) {
      return refusal("--reservation is", "a partition that Liquid leaves alone");
    }
    if (!detail.text("cluster_features").isEmpty()) {
      return refusal("--cluster-constraint is", "--clusters with the name of one cluster");
    }
    if (detail.is("contiguous")) {
      return refusal("--contiguous is", "--switches=1");
    }
    if (detail.states("shared").stream().anyMatch(Unsupported::sharesByOwner)
        || detail.states("exclusive").stream().anyMatch(Unsupported::sharesByOwner)) {
      return refusal("--exclusive=user is", "--exclusive");
    }
    return Optional.empty();
  }

  private static boolean sharesByOwner(String word) {
    return word.equals("USER") || word.equals("MCS") || word.equals("TOPO");
  }

  private static Optional<String> refusal(String what, String instead) {
    return Optional.of(what + " not supported. Use " + instead);
  }
}
