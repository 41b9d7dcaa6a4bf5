package io.github.liquidscheduler.simulator.trace;

import io.github.liquidscheduler.formats.input.JsonRecord;
import io.github.liquidscheduler.formats.input.JsonRecords;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.input.KubernetesPod;
import io.github.liquidscheduler.simulator.input.LogTimes;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what {@code kubectl get pods -o json} prints. Pods that labels of a job controller
 * (Kubernetes jobs, Kubeflow, Volcano, Ray, pod groups) put into one job are one job; others are
 * one each. A job ran from the start of its last pod, when all were there, to the end of its last.
 */
final class KubernetesPodReader implements TraceReader {

  @Override
  public Trace read(String source, InputStream bytes) {
    JsonRecords records = JsonRecords.of(source, bytes, "items");
    LogTimes times = new LogTimes();
    Map<String, PodsOfJob> byJob = new LinkedHashMap<>();
    for (JsonRecord each = records.next(); each != null; each = records.next()) {
      KubernetesPod pod = new KubernetesPod(each, times);
      byJob.computeIfAbsent(pod.job(), job -> new PodsOfJob(pod)).add(pod);
    }
    LoggedJobs jobs = LoggedJobs.held(source);
    byJob.forEach((id, pods) -> pods.addTo(jobs, id));
    return jobs.trace();
  }

  /** The pods of a job; what they hold of the JSON is not kept. */
  private static final class PodsOfJob {

    private final Map<RoleRequest, Integer> tasks = new LinkedHashMap<>();
    private final List<Instant> created = new ArrayList<>();
    private final List<Optional<Instant>> started = new ArrayList<>();
    private final List<Optional<Instant>> finished = new ArrayList<>();
    private final List<GpuModel> gpuModels;
    private final String queue;
    private final Optional<String> phase;
    private final int line;
    private Optional<String> partOfGpu = Optional.empty();
    private Optional<String> otherDevice = Optional.empty();

    PodsOfJob(KubernetesPod first) {
      gpuModels = first.gpuModels();
      queue = first.queue();
      phase = first.phase();
      line = first.line();
    }

    void add(KubernetesPod pod) {
      partOfGpu = partOfGpu.or(pod::partOfGpu);
      otherDevice = otherDevice.or(pod::otherDevice);
      tasks.merge(new RoleRequest(pod.role(), pod.request()), 1, Integer::sum);
      created.add(pod.created());
      started.add(pod.started());
      finished.add(pod.finished());
    }

    void addTo(LoggedJobs jobs, String id) {
      Optional<String> reason = reason();
      if (reason.isPresent()) {
        jobs.leaveOut(reason.get(), line);
        return;
      }
      TraceJob.Builder job =
          TraceJob.builder(id)
              .request(new TraceRequest(roles(), gpuModels))
              .duration(Duration.between(start(), end()))
              .virtualCluster(queue)
              .line(line);
      phase.ifPresent(phase -> job.label(TraceColumns.STATUS, phase));
      jobs.add(created.stream().min(Comparator.naturalOrder()).orElseThrow(), true, job);
    }

    private Optional<String> reason() {
      if (partOfGpu.isPresent()) {
        return partOfGpu.map(LoggedJobs::partOfGpu);
      }
      if (tasks.keySet().stream().allMatch(role -> role.request().gpus() == 0)) {
        return Optional.of(otherDevice.map(LoggedJobs::partOfGpu).orElse(LoggedJobs.NO_GPU));
      }
      if (started.stream().anyMatch(Optional::isEmpty)) {
        return Optional.of(LoggedJobs.NEVER_STARTED);
      }
      if (finished.stream().anyMatch(Optional::isEmpty)) {
        return Optional.of(LoggedJobs.NOT_ENDED);
      }
      return end().isBefore(start()) ? Optional.of(LoggedJobs.ENDED_EARLY) : Optional.empty();
    }

    private Instant start() {
      return last(started);
    }

    private Instant end() {
      return last(finished);
    }

    private static Instant last(List<Optional<Instant>> times) {
      return times.stream().flatMap(Optional::stream).max(Comparator.naturalOrder()).orElseThrow();
    }

    private List<TaskRole> roles() {
      List<TaskRole> roles = new ArrayList<>();
      tasks.forEach(
          (role, count) ->
              roles.add(
                  new TaskRole(
                      TraceRequest.freeName(roles, role.name(), 2), count, role.request())));
      return roles;
    }
  }

  private record RoleRequest(String name, ResourceRequest request) {}
}
