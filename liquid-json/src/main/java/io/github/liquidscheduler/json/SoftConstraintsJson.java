package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TopologyConstraint;

/** The JSON form of what a job's placement must and should respect. */
final class SoftConstraintsJson {

  private SoftConstraintsJson() {}

  static void read(JsonFields in, JobSpec.Builder job) {
    in.optional("communication", Form.of(Communication.class).reader())
        .ifPresent(job::communication);
    in.optional("synchronization", Form.of(Synchronization.class).reader())
        .ifPresent(job::synchronization);
    in.optional("topology", ConstraintJson::read).ifPresent(job::topology);
    in.optional("sharing", Form.of(Sharing.class).reader()).ifPresent(job::sharing);
    job.gpuModels(in.list("gpuModels", PlacementJson::model));
    in.strings("nodeLabels").forEach(job::nodeLabel);
  }

  static void write(JsonOutput out, JobSpec job) {
    out.field(
        "communication",
        job.communication(),
        new Communication.None(),
        Form.of(Communication.class).writer());
    out.field(
        "synchronization",
        job.synchronization(),
        new Synchronization.Gang(),
        Form.of(Synchronization.class).writer());
    out.field("topology", job.topology(), TopologyConstraint.NONE, ConstraintJson::write);
    out.field("sharing", job.sharing(), new Sharing.Exclusive(), Form.of(Sharing.class).writer());
    out.list("gpuModels", job.gpuModels(), PlacementJson::model);
    out.strings("nodeLabels", job.nodeLabels());
  }
}
