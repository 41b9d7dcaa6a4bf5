package io.github.liquidscheduler.training.tree;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.liquidscheduler.training.onnx.TreeEnsemble;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * Trees, forests and boosted trees, grown by XGBoost on one thread (which makes them repeatable)
 * and read back from its dump. XGBoost sends a row left when its value is <em>less</em> than the
 * threshold, ONNX when it is <em>at most</em>: the next smaller float makes the two the same.
 */
public final class TreeLearner implements RegressionLearner {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final int rounds;
  private final Map<String, Object> parameters;

  private TreeLearner(String name, int rounds, Map<String, Object> parameters) {
    this.name = name;
    this.rounds = rounds;
    this.parameters = parameters;
  }

  /** Returns a learner of a single tree. */
  public static TreeLearner single(int depth, int leastExamples) {
    return new TreeLearner("decision tree", 1, parameters(depth, leastExamples, 1, 0));
  }

  /**
   * Returns a learner of a forest: trees grown apart on parts of the examples and of the columns.
   *
   * @param trees how many
   * @param depth the most questions per tree
   * @param leastExamples the fewest examples in a leaf
   */
  public static TreeLearner forest(int trees, int depth, int leastExamples) {
    Map<String, Object> parameters = parameters(depth, leastExamples, 1, 0);
    parameters.put("num_parallel_tree", trees);
    parameters.put("subsample", 0.632);
    parameters.put("colsample_bynode", 0.6);
    return new TreeLearner("random forest", 1, parameters);
  }

  /**
   * Returns a learner of boosted trees: each is grown on what those before left unexplained.
   *
   * @param trees how many
   * @param depth the most questions per tree
   * @param rate the part of each tree that counts
   */
  public static TreeLearner boosted(int trees, int depth, double rate) {
    Map<String, Object> parameters = parameters(depth, 2, rate, 1);
    parameters.put("subsample", 0.8);
    parameters.put("colsample_bynode", 0.8);
    return new TreeLearner("gradient boosting", trees, parameters);
  }

  /**
   * Returns this learner, but with what it learns never rising in these columns: the constraint
   * holds for every tree, hence for their sum.
   *
   * @param columns the columns, counted from 0
   * @param width how many columns there are
   */
  public TreeLearner falling(Set<Integer> columns, int width) {
    String constraints =
        IntStream.range(0, width)
            .mapToObj(column -> columns.contains(column) ? "-1" : "0")
            .collect(Collectors.joining(",", "(", ")"));
    return with("monotone_constraints", constraints);
  }

  /** Returns this learner, but with at least {@code count} examples in a leaf. */
  public TreeLearner leastExamples(int count) {
    return with("min_child_weight", count);
  }

  private TreeLearner with(String key, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    all.put(key, value);
    return new TreeLearner(name, rounds, all);
  }

  private static Map<String, Object> parameters(
      int depth, int leastExamples, double rate, double regularization) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("objective", "reg:squarederror");
    parameters.put("tree_method", "hist");
    parameters.put("max_bin", 128);
    parameters.put("nthread", 1);
    parameters.put("verbosity", 0);
    parameters.put("base_score", 0);
    parameters.put("max_depth", depth);
    parameters.put("min_child_weight", leastExamples);
    parameters.put("eta", rate);
    parameters.put("lambda", regularization);
    return parameters;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Regression fit(Examples examples, long seed) {
    float mean = (float) examples.meanLabel();
    try {
      Booster booster = train(examples, mean, seed);
      try {
        return new Regression(mean, new float[examples.width()], trees(booster));
      } finally {
        booster.dispose();
      }
    } catch (XGBoostError | JsonProcessingException e) {
      throw new IllegalStateException("XGBoost could not learn a " + name, e);
    }
  }

  private Booster train(Examples examples, float mean, long seed) throws XGBoostError {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    all.put("seed", Math.floorMod(seed, Integer.MAX_VALUE));
    DMatrix matrix = new DMatrix(flat(examples), examples.size(), examples.width(), Float.NaN);
    try {
      float[] labels = examples.labels().clone();
      for (int i = 0; i < labels.length; i++) {
        labels[i] -= mean;
      }
      matrix.setLabel(labels);
      return XGBoost.train(matrix, all, rounds, new LinkedHashMap<>(), null, null);
    } finally {
      matrix.dispose();
    }
  }

  private static float[] flat(Examples examples) {
    int width = examples.width();
    float[] flat = new float[examples.size() * width];
    for (int i = 0; i < examples.size(); i++) {
      System.arraycopy(examples.rows()[i], 0, flat, i * width, width);
    }
    return flat;
  }

  private static List<TreeEnsemble.Node> trees(Booster booster)
      throws XGBoostError, JsonProcessingException {
    List<TreeEnsemble.Node> trees = new ArrayList<>();
    for (String dump : booster.getModelDump((String) null, false, "json")) {
      trees.add(node(JSON.readTree(dump)));
    }
    return trees;
  }

  private static TreeEnsemble.Node node(JsonNode dumped) {
    JsonNode leaf = dumped.get("leaf");
    if (leaf != null) {
      return new TreeEnsemble.Leaf(Float.parseFloat(leaf.asText()));
    }
    int feature = Integer.parseInt(dumped.get("split").asText().substring(1));
    float threshold = Math.nextDown(Float.parseFloat(dumped.get("split_condition").asText()));
    return new TreeEnsemble.Split(feature, threshold, child(dumped, "yes"), child(dumped, "no"));
  }

  private static TreeEnsemble.Node child(JsonNode dumped, String which) {
    int id = dumped.get(which).asInt();
    for (JsonNode child : dumped.get("children")) {
      if (child.get("nodeid").asInt() == id) {
        return node(child);
      }
    }
    throw new IllegalStateException("a dumped tree has no node " + id);
  }
}
