package io.github.liquidscheduler.simulator.input;

import io.github.liquidscheduler.formats.input.JsonRecord;
import io.github.liquidscheduler.formats.input.KubernetesQuantity;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A pod in the output of {@code kubectl get pods -o json}. */
public final class KubernetesPod {

  private static final List<String> JOB_LABELS =
      List.of(
          "training.kubeflow.org/job-name",
          "batch.kubernetes.io/job-name",
          "job-name",
          "volcano.sh/job-name",
          "ray.io/cluster",
          "leaderworkerset.sigs.k8s.io/name",
          "pod-group.scheduling.sigs.k8s.io",
          "scheduling.x-k8s.io/pod-group");
  private static final List<String> QUEUE_LABELS =
      List.of("kueue.x-k8s.io/queue-name", "kai.scheduler/queue", "volcano.sh/queue-name");
  private static final List<String> ROLE_LABELS =
      List.of("training.kubeflow.org/replica-type", "volcano.sh/task-spec", "ray.io/node-type");
  private static final List<String> MODEL_LABELS =
      List.of(
          "nvidia.com/gpu.product",
          "cloud.google.com/gke-accelerator",
          "gpu.nvidia.com/model",
          "amd.com/gpu.product-name",
          "beta.amd.com/gpu.product-name");
  private static final String CLAIMS = "resourceClaims";
  private static final String GPU_FRACTION = "gpu-fraction";
  private static final List<String> PART_ANNOTATIONS =
      List.of("gpu-memory", "gpu-fraction-num-devices");
  private static final List<String> WHOLE_GPUS = List.of("nvidia.com/gpu", "amd.com/gpu");

  /** Resources that say that a pod does not have the whole GPUs that it may ask for as well. */
  private static final Pattern PART =
      Pattern.compile("nvidia\\.com/(mig-.*|gpu\\.shared|gpumem.*|gpucores)");

  private final JsonRecord pod;
  private final JsonRecord metadata;
  private final JsonRecord labels;
  private final LogTimes times;

  /** Reads a pod of a text with these times. */
  public KubernetesPod(JsonRecord pod, LogTimes times) {
    this.pod = pod;
    this.times = times;
    metadata = pod.object("metadata");
    labels = metadata.object("labels");
  }

  /** Returns the line on which the pod starts, from 1. */
  public int line() {
    return pod.line();
  }

  /** Returns the job it belongs to: namespace and name of that, or its own. */
  public String job() {
    String name = labels.firstText(JOB_LABELS).orElseGet(() -> metadata.text("name"));
    return metadata.optionalText("namespace").orElse("default") + "/" + name;
  }

  /** Returns its queue: that of Kueue, KAI or Volcano, or its namespace. */
  public String queue() {
    return labels
        .firstText(QUEUE_LABELS)
        .orElseGet(() -> metadata.optionalText("namespace").orElse("default"));
  }

  /** Returns its role in its job. */
  public String role() {
    return labels.firstText(ROLE_LABELS).orElse("worker");
  }

  /** Returns its phase, such as {@code Succeeded}. */
  public Optional<String> phase() {
    return pod.object("status").optionalText("phase");
  }

  /** Returns when it was created. */
  public Instant created() {
    return time(metadata, "creationTimestamp")
        .orElseThrow(() -> metadata.error("creationTimestamp", "must be there, but is not"));
  }

  /** Returns the start of its first container, else the time at which a node took the pod. */
  public Optional<Instant> started() {
    return states()
        .flatMap(state -> time(state, "startedAt").stream())
        .min(Comparator.naturalOrder())
        .or(() -> time(pod.object("status"), "startTime"));
  }

  /** Returns the end of its last container; empty if one still runs. */
  public Optional<Instant> finished() {
    List<JsonRecord> states = states().toList();
    List<Instant> ends = states.stream().flatMap(s -> time(s, "finishedAt").stream()).toList();
    return ends.size() == states.size()
        ? ends.stream().max(Comparator.naturalOrder())
        : Optional.empty();
  }

  /** Returns the GPU models that it selects or that its affinity requires; empty for any. */
  public List<GpuModel> gpuModels() {
    JsonRecord spec = pod.object("spec");
    List<String> selected = spec.object("nodeSelector").firstText(MODEL_LABELS).stream().toList();
    return (selected.isEmpty() ? required(spec) : selected).stream().map(GpuModel::of).toList();
  }

  private static List<String> required(JsonRecord spec) {
    return spec
        .object("affinity")
        .object("nodeAffinity")
        .object("requiredDuringSchedulingIgnoredDuringExecution")
        .objects("nodeSelectorTerms")
        .stream()
        .flatMap(term -> term.objects("matchExpressions").stream())
        .filter(each -> each.optionalText("key").filter(MODEL_LABELS::contains).isPresent())
        .filter(each -> each.optionalText("operator").filter("In"::equals).isPresent())
        .flatMap(each -> each.texts("values").stream())
        .distinct()
        .toList();
  }

  /** Returns what it asks for of GPUs, CPU and memory. */
  public ResourceRequest request() {
    ResourceRequest.Builder request = ResourceRequest.builder().gpus(gpus());
    metadata
        .object("annotations")
        .optionalText(GPU_FRACTION)
        .ifPresent(text -> request.share(share(text)));
    BigDecimal millicores = sum("cpu").movePointRight(3).setScale(0, RoundingMode.CEILING);
    if (millicores.signum() > 0) {
      request.cpu(CpuCores.ofMillicores(millicores.longValue()));
    }
    BigDecimal bytes = sum("memory").setScale(0, RoundingMode.CEILING);
    if (bytes.signum() > 0) {
      request.memory(Memory.ofBytes(bytes.longValue()));
    }
    return request.build();
  }

  /**
   * Returns what the pod asks for that is neither whole GPUs nor a share of one, such as {@code
   * nvidia.com/mig-1g.10gb}; empty if there is none.
   */
  public Optional<String> partOfGpu() {
    JsonRecord annotations = metadata.object("annotations");
    return PART_ANNOTATIONS.stream()
        .filter(name -> annotations.optionalText(name).isPresent())
        .findFirst()
        .or(() -> devices().filter(name -> PART.matcher(name).matches()).findFirst());
  }

  /** Returns a device that it asks for other than GPUs, or claims; empty if there is none. */
  public Optional<String> otherDevice() {
    return pod.object("spec").count(CLAIMS) > 0
        ? Optional.of(CLAIMS)
        : devices().filter(name -> !WHOLE_GPUS.contains(name)).findFirst();
  }

  /** Returns the extended resources, which have a domain, of which it asks for some. */
  private Stream<String> devices() {
    JsonRecord spec = pod.object("spec");
    return Stream.concat(
            spec.objects("containers").stream(), spec.objects("initContainers").stream())
        .map(container -> container.object("resources"))
        .flatMap(resources -> Stream.of("requests", "limits").map(resources::object))
        .flatMap(KubernetesPod::devices);
  }

  private static Stream<String> devices(JsonRecord amounts) {
    return amounts.names().stream()
        .filter(name -> name.indexOf('/') > 0)
        .filter(name -> amounts.quantity(name).filter(each -> each.signum() > 0).isPresent());
  }

  private GpuShare share(String text) {
    return KubernetesQuantity.parse(text)
        .map(BigDecimal::doubleValue)
        .filter(share -> share >= 0.001 && share <= 1)
        .map(GpuShare::of)
        .orElseThrow(
            () -> metadata.error(GPU_FRACTION, "must be from 0.001 to 1, but was " + text));
  }

  private int gpus() {
    BigDecimal gpus = sum("nvidia.com/gpu").add(sum("amd.com/gpu"));
    if (gpus.compareTo(BigDecimal.valueOf(ResourceRequest.MAX_GPUS_PER_TASK)) > 0) {
      throw pod.error(
          "nvidia.com/gpu",
          "must be at most " + ResourceRequest.MAX_GPUS_PER_TASK + ", but is more");
    }
    return gpus.intValue();
  }

  /** Returns the total request of all containers, or of an initial one if larger. */
  private BigDecimal sum(String resource) {
    JsonRecord spec = pod.object("spec");
    Function<JsonRecord, BigDecimal> each = container -> amount(container, resource);
    BigDecimal together =
        spec.objects("containers").stream().map(each).reduce(BigDecimal.ZERO, BigDecimal::add);
    return spec.objects("initContainers").stream().map(each).reduce(together, BigDecimal::max);
  }

  private static BigDecimal amount(JsonRecord container, String resource) {
    JsonRecord resources = container.object("resources");
    return Stream.of("requests", "limits")
        .flatMap(kind -> resources.object(kind).quantity(resource).stream())
        .findFirst()
        .orElse(BigDecimal.ZERO);
  }

  private Stream<JsonRecord> states() {
    return pod.object("status").objects("containerStatuses").stream()
        .map(container -> container.object("state"))
        .map(
            state ->
                Stream.of("terminated", "running", "waiting")
                    .filter(state.names()::contains)
                    .findFirst()
                    .map(state::object)
                    .orElse(state));
  }

  private Optional<Instant> time(JsonRecord record, String name) {
    try {
      return record.optionalText(name).flatMap(times::optional);
    } catch (DateTimeException e) {
      throw record.error(name, String.valueOf(e.getMessage()));
    }
  }
}
