package io.github.liquidscheduler.placement.fragmentation;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.Comparator;

/**
 * The request of a task, as far as it matters to fragmentation.
 *
 * @param cpu CPU in millicores
 * @param gpus GPUs; 0 if it needs none
 * @param share thousandths of each of them; 1000 if whole
 */
record TaskKind(long cpu, int gpus, int share) {

  /** An order without ties, so that counts do not depend on the order of arrival. */
  static final Comparator<TaskKind> ORDER =
      Comparator.comparingInt(TaskKind::gpus)
          .thenComparingInt(TaskKind::share)
          .thenComparingLong(TaskKind::cpu);

  static TaskKind of(ResourceRequest request) {
    return new TaskKind(
        request.cpu().orElse(CpuCores.ZERO).millicores(),
        request.gpus(),
        request.share().orElse(GpuShare.WHOLE).thousandths());
  }
}
