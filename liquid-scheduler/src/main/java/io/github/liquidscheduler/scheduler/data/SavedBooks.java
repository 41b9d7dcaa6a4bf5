package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/*
 * Idea: the snapshot form of DataBooks, as sections of plain values. Nodes whose copies are those
 *   they came with are left out.
 * Invariants: load(save()) restores equal maps in the same order; probabilities are checked to be
 *   in [0, 1] on loading; keys and formats of a snapshot never change.
 * Cost: O(nodes + copies + transfers + runs + predictions) each way.
 */
/** The maps of {@link DataBooks} in the form of a snapshot. */
record SavedBooks(
    Map<NodeId, Map<String, Dataset>> copies,
    Map<CopyKey, PrefetchedCopy> underWay,
    Map<CopyKey, PrefetchedCopy> unread,
    Map<JobId, Run> runs,
    Map<CopyKey, Predictions.Pending> predictions) {

  void save(SnapshotSection.Builder section, ClusterTopology topology) {
    section
        .list(
            "nodes",
            topology.nodes().stream()
                .filter(node -> copies.containsKey(node.id()))
                .filter(node -> !isInitial(node.datasets(), of(node.id())))
                .toList(),
            node -> node(node.id()))
        .list("underWay", underWay.entrySet(), each -> bringing(each.getKey(), each.getValue()))
        .list("unread", unread.entrySet(), each -> bringing(each.getKey(), each.getValue()))
        .list("runs", runs.entrySet(), each -> run(each.getKey(), each.getValue()))
        .list(
            "predictions",
            predictions.entrySet(),
            each -> prediction(each.getKey(), each.getValue()));
  }

  private Map<String, Dataset> of(NodeId node) {
    return copies.getOrDefault(node, Collections.emptyMap());
  }

  private static boolean isInitial(List<Dataset> came, Map<String, Dataset> has) {
    return List.copyOf(has.values()).equals(came);
  }

  private SnapshotSection node(NodeId node) {
    return SnapshotSection.builder()
        .text("node", node)
        .list("copies", of(node).values(), SavedBooks::dataset)
        .build();
  }

  private static SnapshotSection dataset(Dataset dataset) {
    return SnapshotSection.builder()
        .put("name", dataset.name())
        .put("bytes", dataset.size().bytes())
        .build();
  }

  private static SnapshotSection bringing(CopyKey copy, PrefetchedCopy bringing) {
    return SnapshotSection.builder()
        .text("node", copy.node())
        .put("dataset", dataset(bringing.dataset()))
        .text("job", bringing.job())
        .text("begun", bringing.begun())
        .put("probability", bringing.probability())
        .text("until", bringing.until())
        .build();
  }

  private static SnapshotSection run(JobId job, Run run) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .text("job", job)
            .text("launched", run.launched())
            .text("trainsFrom", run.trainsFrom())
            .put("isWhole", run.isWhole())
            .list("missing", run.missing(), SavedBooks::copy);
    run.seconds().ifPresent(seconds -> section.put("seconds", seconds));
    return section.build();
  }

  private static SnapshotSection copy(CopyKey copy) {
    return SnapshotSection.builder()
        .text("node", copy.node())
        .put("dataset", copy.dataset())
        .build();
  }

  private static SnapshotSection prediction(CopyKey copy, Predictions.Pending prediction) {
    return SnapshotSection.builder()
        .text("node", copy.node())
        .put("dataset", copy.dataset())
        .put("probability", prediction.probability())
        .text("until", prediction.until())
        .build();
  }

  void load(SnapshotSection.Reader in) {
    each(in, "nodes", node -> copies.put(node.text("node", NodeId::of), copies(node)));
    each(in, "underWay", each -> load(each, underWay));
    each(in, "unread", each -> load(each, unread));
    each(in, "runs", each -> runs.put(each.text("job", JobId::of), run(each)));
    each(in, "predictions", each -> predictions.put(copy(each), prediction(each)));
  }

  private static void each(
      SnapshotSection.Reader in, String name, Consumer<SnapshotSection.Reader> use) {
    in.list(
        name,
        SnapshotSection.class,
        section -> {
          section.readAll(use);
          return section;
        });
  }

  private static Map<String, Dataset> copies(SnapshotSection.Reader in) {
    Map<String, Dataset> copies = new LinkedHashMap<>();
    for (Dataset dataset :
        in.list("copies", SnapshotSection.class, each -> each.read(SavedBooks::dataset))) {
      copies.put(dataset.name(), dataset);
    }
    return copies;
  }

  private static Dataset dataset(SnapshotSection.Reader in) {
    return new Dataset(in.value("name", String.class), Memory.ofBytes(in.longCount("bytes")));
  }

  private static void load(SnapshotSection.Reader in, Map<CopyKey, PrefetchedCopy> to) {
    Dataset dataset = in.value("dataset", SnapshotSection.class).read(SavedBooks::dataset);
    to.put(
        new CopyKey(in.text("node", NodeId::of), dataset.name()),
        new PrefetchedCopy(
            in.text("job", JobId::of),
            dataset,
            in.text("begun", Instant::parse),
            probability(in),
            in.text("until", Instant::parse)));
  }

  private static double probability(SnapshotSection.Reader in) {
    double probability = in.value("probability", Double.class);
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("a probability must be in [0, 1], but was " + probability);
    }
    return probability;
  }

  private static Run run(SnapshotSection.Reader in) {
    return new Run(
        in.text("launched", Instant::parse),
        in.text("trainsFrom", Instant::parse),
        in.optional("seconds", Double.class).map(OptionalDouble::of).orElse(OptionalDouble.empty()),
        in.value("isWhole", Boolean.class),
        in.list("missing", SnapshotSection.class, each -> each.read(SavedBooks::copy)));
  }

  private static CopyKey copy(SnapshotSection.Reader in) {
    return new CopyKey(in.text("node", NodeId::of), in.value("dataset", String.class));
  }

  private static Predictions.Pending prediction(SnapshotSection.Reader in) {
    return new Predictions.Pending(probability(in), in.text("until", Instant::parse));
  }
}
