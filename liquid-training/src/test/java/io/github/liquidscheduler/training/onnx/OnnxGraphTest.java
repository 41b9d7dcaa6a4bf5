package io.github.liquidscheduler.training.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.estimator.onnx.BatchScorer;
import io.github.liquidscheduler.estimator.onnx.ModelFile;
import io.github.liquidscheduler.estimator.onnx.Models;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class OnnxGraphTest {

  @Test
  void aDenseLayerIsAMatrixProductPlusBias() {
    assertThat(answer(x -> graph.dense(x, new float[] {1, 2, 3, 4, 5, 6}, new float[] {1, -1})))
        .containsExactly(1 * 1 + 2 * 2 + 3 * 3 + 1, 4 * 1 + 5 * 2 + 6 * 3 - 1);
  }

  @Test
  void columnsAreCutJoinedAndCombined() {
    assertThat(
            answer(
                x -> {
                  GraphValue head = graph.columns(x, 0, 1);
                  GraphValue tail = graph.columns(x, 1, 3);
                  return graph.concatenated(
                      List.of(
                          graph.sum(head, head),
                          graph.product(tail, tail),
                          graph.difference(tail, tail),
                          graph.total(x)));
                }))
        .containsExactly(2, 4, 9, 0, 0, 6);
  }

  @Test
  void standardizedValuesAreLimited() {
    float[] mean = {0, 0, 0};
    float[] scale = {1, 2, 0.5f};
    assertThat(answer(x -> graph.standardized(x, mean, scale, 4))).containsExactly(1, 1, 4);
  }

  @Test
  void activationsAreTheUsualOnes() {
    assertThat(answer(x -> graph.relu(graph.difference(x, graph.sum(x, x)))))
        .containsExactly(0, 0, 0);
    assertThat(answer(x -> graph.sigmoid(x))[0]).isCloseTo(0.731_058_6f, within(1e-6f));
  }

  @Test
  void anEmbeddingPicksTheRowOfItsIndex() {
    float[] table = {0, 0, 10, 11, 20, 21, 30, 31};
    assertThat(answer(x -> graph.embedding(graph.columns(x, 1, 2), table, 2)))
        .containsExactly(20, 21);
  }

  @Test
  void treesAnswerTheirBaseAndTheSumOfTheirLeaves() {
    assertThat(answer(x -> graph.trees(x, twoTrees())))
        .containsExactly(100 + 2 + 0.5f, 200 + 20 + 0.25f);
  }

  @Test
  void theSameGraphIsTheSameFile() {
    assertThat(file(x -> graph.trees(x, twoTrees())))
        .isEqualTo(file(x -> graph.trees(x, twoTrees())));
  }

  @Test
  void whatDoesNotFitIsRefusedWhenTheGraphIsBuilt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file(x -> graph.dense(x, new float[5], new float[2])))
        .withMessage("expected 6 numbers, but there were 5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file(x -> graph.sum(x, graph.columns(x, 0, 2))))
        .withMessageContaining("equally wide, but were 3 and 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> file(x -> graph.trees(graph.columns(x, 0, 1), twoTrees())))
        .withMessageContaining("feature 2, but rows have only 1");
  }

  private OnnxGraph graph = new OnnxGraph(3);

  private float[] answer(UnaryOperator<GraphValue> build) {
    try (ModelFile model = ModelFile.of(file(build), "a test");
        BatchScorer scorer = model.scorer()) {
      float[] answers = new float[scorer.outputs()];
      scorer.score(new float[] {1, 2, 3}, 1, answers);
      return answers;
    }
  }

  private byte[] file(UnaryOperator<GraphValue> build) {
    graph = new OnnxGraph(3);
    return graph.toBytes(build.apply(graph.input()), Models.metadata(3));
  }

  private static TreeEnsemble twoTrees() {
    TreeEnsemble.Node left =
        new TreeEnsemble.Split(
            2,
            2.5f,
            new TreeEnsemble.Leaf(1, 10),
            new TreeEnsemble.Split(
                0, 1f, new TreeEnsemble.Leaf(2, 20), new TreeEnsemble.Leaf(3, 30)));
    TreeEnsemble.Node right =
        new TreeEnsemble.Split(
            1, 5f, new TreeEnsemble.Leaf(0.5f, 0.25f), new TreeEnsemble.Leaf(7, 7));
    return TreeEnsemble.of(new float[] {100, 200}, List.of(left, right));
  }
}
