package io.github.liquidscheduler.slurm;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.reconcile.ObservedRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.slurm.JobLine.Column;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns what one job of Slurm asks for into a job of the scheduler. */
final class RequestReader {

  private static final String ROLE = "node";

  private static final Set<String> KNOWN_WORDS =
      Set.of("expected", "preemptible", "priority", "queue", "topology");

  private final SlurmConfig config;
  private final SlurmCluster cluster;
  private final ListedJob job;
  private final SlurmRecord detail;
  private final Words words;
  private final List<String> ignored = new ArrayList<>();
  private @Nullable String refusal;

  private RequestReader(SlurmConfig config, SlurmCluster cluster, ListedJob job) {
    this.config = config;
    this.cluster = cluster;
    this.job = job;
    this.detail = job.detail();
    this.words = Words.of(job.comment());
  }

  /** Returns what the job asks for or, if its nodes were known with it, what it has. */
  static ObservedRequest read(SlurmConfig config, SlurmCluster cluster, ListedJob job)
      throws IOException {
    return new RequestReader(config, cluster, job).request();
  }

  private ObservedRequest request() throws IOException {
    JobSpec.Builder spec = JobSpec.builder(job.id());
    addWords(spec);
    Optional<JobAllocation> allocation = JobAllocation.of(job);
    if (allocation.isPresent()) {
      allocation.get().addTo(spec);
    } else {
      unsupported(job).ifPresent(this::refuse);
      addShape(spec);
      addConstraint(spec);
    }
    return refusal == null
        ? new ObservedRequest.Understood(spec.build(), ignored)
        : new ObservedRequest.Unsupported(refusal);
  }

  private void addShape(JobSpec.Builder spec) throws IOException {
    RequestedShape.Result result =
        RequestedShape.of(detail, cluster.nodesOf(job.text(Column.PARTITION)));
    result.refusal().ifPresent(this::refuse);
    RequestedShape.NodeShape shape = result.shape();
    spec.role(ROLE, shape.nodes(), shape.request());
    if (!shape.model().isEmpty()) {
      spec.gpuModels(List.of(GpuModel.of(shape.model())));
    }
    spec.topology(topology(shape.nodes()));
    addNodes(spec, shape.nodes());
  }

  private TopologyConstraint topology(int nodes) {
    TopologyConstraint constraint =
        nodes > 1
            ? TopologyConstraint.NONE.andSpread(1, ClusterTopology.NODE)
            : TopologyConstraint.NONE;
    ClusterTopology topology = cluster.topology();
    Optional<String> level = words.value("topology").filter(name -> !name.equals("none"));
    long switches = job.line().number(Column.SWITCHES);
    if (level.isPresent() && topology.levels().contains(level.get())) {
      return constraint.andRequired(level.get());
    }
    level.ifPresent(
        name -> ignore("topology", name, "a level must be one of " + topology.levels()));
    Optional<String> narrowest = cluster.narrowest();
    if (nodes == 1 || narrowest.isEmpty()) {
      return constraint;
    }
    if (switches == 1) {
      return constraint.andRequired(narrowest.get());
    }
    return words.value("topology").isPresent() && level.isEmpty()
        ? constraint
        : constraint.andPreferred(narrowest.get());
  }

  private void addNodes(JobSpec.Builder spec, int nodes) throws IOException {
    spec.excludeNodes(job.excluded());
    List<String> required = job.required();
    List<String> others = new ArrayList<>();
    if (!required.isEmpty()) {
      if (required.size() != nodes) {
        refuse(
            "-w must name as many nodes as the job has, but names %d of %d. Use -x to exclude nodes"
                .formatted(required.size(), nodes));
      }
      Set<String> kept = Set.copyOf(required);
      for (Node node : cluster.topology().nodes()) {
        if (!kept.contains(node.id().value())) {
          others.add(node.id().value());
        }
      }
    }
    spec.excludeNodes(others);
    addPartition(spec);
  }

  /** Keeps the job on the nodes of its partition, or of any that it names. */
  private void addPartition(JobSpec.Builder spec) {
    String partition = job.text(Column.PARTITION);
    if (partition.contains(",")) {
      Set<NodeId> inside = new HashSet<>();
      cluster.nodesOf(partition).forEach(node -> inside.add(node.id()));
      spec.excludeNodes(
          cluster.topology().nodes().stream()
              .filter(node -> !inside.contains(node.id()))
              .map(node -> node.id().value())
              .toList());
    } else if (cluster.nodesOf(partition).size() < cluster.topology().nodes().size()) {
      spec.nodeLabel(SlurmCluster.PARTITION + partition, SlurmCluster.YES);
    }
  }

  private void addConstraint(JobSpec.Builder spec) {
    String features = detail.text("features");
    if (features.isEmpty()) {
      return;
    }
    if (!features.matches("[^|\\[\\](){}*,!&]+(?:[&,][^|\\[\\](){}*,!&]+)*")) {
      refuse(
          "--constraint=%s is not supported. Use features joined by &, without counts or choices"
              .formatted(features));
      return;
    }
    for (String feature : features.split("[&,]", -1)) {
      spec.nodeLabel(SlurmCluster.FEATURE + feature, SlurmCluster.YES);
    }
  }

  /** Adds what the job's user, account, partition and comment say. */
  private void addWords(JobSpec.Builder spec) {
    spec.queue(queue());
    spec.priority(priority());
    spec.preemptible(isPreemptible());
    expected().ifPresent(time -> spec.expectedWork(ExpectedWork.ofDuration(time)));
    detail
        .number("submit_time")
        .ifPresent(seconds -> spec.submittedAt(Instant.ofEpochSecond(seconds)));
    if (!detail.text("user_name").isEmpty()) {
      spec.label("user", detail.text("user_name"));
    }
    words
        .values()
        .forEach(
            (key, value) -> {
              if (!KNOWN_WORDS.contains(key)) {
                ignore(key, value, "there is no such word");
              }
            });
  }

  private String queue() {
    Optional<String> wanted = words.value("queue");
    if (wanted.isPresent() && config.queues().containsValue(wanted.get())) {
      return wanted.get();
    }
    wanted.ifPresent(name -> ignore("queue", name, "a queue must be one of " + queues()));
    if (config.queues().isEmpty()) {
      return QueueName.DEFAULT.value();
    }
    String account = job.text(Column.ACCOUNT);
    String partition = job.text(Column.PARTITION);
    @Nullable String queue = config.queues().get(account);
    if (queue == null) {
      queue = config.queues().get(partition);
    }
    if (queue == null) {
      refuse(
          "neither account '%s' nor partition '%s' has a queue. Use --account with one of %s"
              .formatted(account, partition, config.queues().keySet()));
      return QueueName.DEFAULT.value();
    }
    return queue;
  }

  private List<String> queues() {
    return config.queues().values().stream().distinct().sorted().toList();
  }

  private int priority() {
    int ruled =
        config
            .priorities()
            .of(job.text(Column.QOS), job.text(Column.PARTITION), job.line().number(Column.NICE));
    Optional<String> word = words.value("priority");
    if (word.isEmpty()) {
      return ruled;
    }
    if (!word.get().matches("-?[0-9]{1,9}")) {
      ignore("priority", word.get(), "it must be a whole number");
      return ruled;
    }
    int wanted = Integer.parseInt(word.get());
    int most = Math.max(ruled, config.priorities().highestByUser());
    if (wanted > most) {
      ignore("priority", word.get(), "it may be at most " + most);
      return ruled;
    }
    return wanted;
  }

  private boolean isPreemptible() {
    String word = words.value("preemptible").orElse("yes");
    if (!word.equals("yes") && !word.equals("no")) {
      ignore("preemptible", word, "it must be yes or no");
    }
    return job.canRestart() && !word.equals("no");
  }

  private Optional<Duration> expected() {
    Optional<String> word = words.value("expected");
    Optional<Duration> expected = word.flatMap(Words::duration);
    if (expected.isPresent()) {
      return expected;
    }
    word.ifPresent(text -> ignore("expected", text, "it must be a duration such as 2h30m"));
    return job.line().limitSeconds().isPresent()
        ? Optional.of(Duration.ofSeconds(job.line().limitSeconds().getAsLong()))
        : Optional.empty();
  }

  private void ignore(String key, String value, String why) {
    ignored.add("ignored 'liquid.%s=%s': %s".formatted(key, value, why));
  }

  private void refuse(String why) {
    if (refusal == null) {
      refusal = why;
    }
  }

  /** Returns the first that the job asks of Slurm alone, and what to use instead. */
  private static Optional<String> unsupported(ListedJob job) {
    SlurmRecord detail = job.detail();
    if (job.isHeterogeneous()) {
      return notSupported("heterogeneous jobs are", "one job with the same part on each node");
    }
    if (detail.number("deadline").orElse(0) != 0) {
      return notSupported("--deadline is", "--time, and a queue or priority");
    }
    if (!detail.text("burst_buffer").isEmpty()) {
      return notSupported("--bb is", "a job before it that copies the data, and --dependency");
    }
    if (!detail.text("federation_origin").isEmpty()) {
      return notSupported("federated jobs are", "--clusters with the name of one cluster");
    }
    if (!detail.text("resv_name").isEmpty()) {
      return notSupported("--reservation is", "a partition that Liquid leaves alone");
    }
    if (!detail.text("cluster_features").isEmpty()) {
      return notSupported("--cluster-constraint is", "--clusters with the name of one cluster");
    }
    if (detail.is("contiguous")) {
      return notSupported("--contiguous is", "--switches=1");
    }
    if (detail.states("shared").stream().anyMatch(RequestReader::sharesByOwner)
        || detail.states("exclusive").stream().anyMatch(RequestReader::sharesByOwner)) {
      return notSupported("--exclusive=user is", "--exclusive");
    }
    return Optional.empty();
  }

  private static boolean sharesByOwner(String word) {
    return word.equals("USER") || word.equals("MCS") || word.equals("TOPO");
  }

  private static Optional<String> notSupported(String what, String instead) {
    return Optional.of(what + " not supported. Use " + instead);
  }
}
